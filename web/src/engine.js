// The worker of a page without a server: the engine of the package for browsers.

import "brier-chess/worker.js";
