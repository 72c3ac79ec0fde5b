/**
 * Properties that only the modules of src know: the build shortens their names. None may be a name of the data, of a
 * trait, of a message or of the browser; test/bundle.test.ts holds the list against the data.
 */
export const INTERNAL =
  `allows alive bare because cached choice convention copied cost costs counted counts decidedBy
departures doing figure gapPercent gone ground hue inside kernel known lit lows maskOf
nearest numel option over own patterns picking placed places preset props refused remark rivals runs scene sized slack
sought takeAll ticks tiedRole ui unread until View wholeBasis wire wrong`.split(/\s+/);
