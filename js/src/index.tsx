/** The widget's entry: render() draws a view of a model into an element and returns how to take it down. */
import { mount, type RenderProps } from "./mount";
import { App } from "./views/App";
import "./theme.css";
import "./views/views.css";
import "./views/picture.css";
import "./views/ledger.css";

export type { RenderProps } from "./mount";

const render = ({ model, el }: RenderProps) => mount(el, (id) => <App model={model} id={id} />);

export default { render };
