import { render } from "preact";
import { Console } from "./console.tsx";
import "./page.css";
import "./top-bar.css";
import "./fleet-lists.css";
import "./vehicle-panel.css";
import "./drawer.css";
import { startPolling } from "./polling.ts";
import { select } from "./vehicle-list.tsx";

render(<Console />, document.body);
startPolling();
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") select(undefined);
});
