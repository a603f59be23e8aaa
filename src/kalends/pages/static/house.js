// What every page of the calendar has: light and language.

import { addLanguages, addLight } from "./masthead.js";

addLight();
addLanguages();
