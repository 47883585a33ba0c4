// The entries import nothing else of the mock but types. The package has it once, as CommonJS: see docs/decisions/0004-bundling.md.
export { createMockControl, type MockControl } from './control.js';
export { mockDeviations } from './crooked/deviations.js';
export { type MockApiOptions, type MockServerOptions, readServerOptions, readSettings } from './settings.js';
