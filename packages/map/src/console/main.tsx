import { render } from "preact";
import { Console } from "./console.tsx";
import "./console.css";
import { keepCurrent } from "./keep-current.ts";
import { select } from "./vehicle-list.tsx";

render(<Console />, document.body);
keepCurrent();
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") select(undefined);
});
