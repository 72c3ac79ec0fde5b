/** Says the total once when it changes, and nothing when the view first appears. */
import { useEffect, useRef, useState } from "preact/hooks";
import { integer } from "../format";
import type { ViewProps } from "../scene";

export function Announce({ scene: { total, now } }: ViewProps) {
  const [text, setText] = useState("");
  const message = `${integer(total)} parameters, ${now.basis}`;
  const last = useRef(message);
  useEffect(() => {
    if (message !== last.current) setText(message);
    last.current = message;
  }, [message]);
  return (
    <output class="pw-hidden" aria-live="polite" data-pw-live="">
      {text}
    </output>
  );
}
