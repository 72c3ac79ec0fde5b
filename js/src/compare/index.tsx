/** The entry of CompareView: render() draws models side by side into an element and returns how to take it down. */
import { mount, type RenderProps } from "../mount";
import { CompareApp } from "./CompareApp";
import "../theme.css";
import "../views/views.css";
import "../views/ledger.css";
import "./compare.css";

const render = ({ model, el }: RenderProps) => mount(el, (id) => <CompareApp model={model} id={id} />);

export default { render };
