// The viewer where the program itself answers, over HTTP.

import { httpCarrier } from "./carrier.js";
import { startViewer } from "./viewer.js";

startViewer(document.body, httpCarrier("../ask/"));
