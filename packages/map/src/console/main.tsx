import { render } from "preact";
import { Console } from "./console.tsx";
import "./page.css";
import "./top-bar.css";
import "./fleet-lists.css";
import "./vehicle-panel.css";
import "./drawer.css";
import { keepCurrent } from "./keep-current.ts";
import { select } from "./vehicle-list.tsx";

render(<Console />, document.body);
keepCurrent();
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") select(undefined);
});
