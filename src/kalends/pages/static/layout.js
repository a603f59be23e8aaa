// Scripts of every calendar page: theme and language.

import { addLanguages, addTheme } from "./header.js";

addTheme();
addLanguages();
