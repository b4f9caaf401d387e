import { render } from "preact";
import { Console } from "./console.tsx";
import "./page.css";
import "./top-bar.css";
import "./fleet-lists.css";
import "./vehicle-panel.css";
import "./drawer.css";
import { showUnseen } from "./event-alerts.ts";
import { followAddress } from "./page-address.ts";
import { startPolling } from "./polling.ts";
import { followShortcuts } from "./shortcuts.ts";

followAddress();
render(<Console />, document.body);
startPolling();
followShortcuts();
showUnseen();
