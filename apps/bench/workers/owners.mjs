// Whose code a sample of V8's profiler has met: source maps lead from the build to the sources.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The owners by source. The first match decides, so the last one has the rest of our code. */
const SOURCES = [
  ['ky', /node_modules\/ky\//],
  ['zod', /node_modules\//],
  ['sync', /src\/(sync\/|core\/timestamps|resources\/articles)/],
  ['limiter', /src\/core\/(admit|book|budget|limiter|line|sorted)\.ts$/],
  ['check', /src\/core\/(issues|response|schema)\.ts$/],
  ['read', /src\/core\/(abort|attempt|body|network)\.ts$/],
  ['request', /src\/core\/(api|arguments|defaults|headers|preflight|prepare|request)\.ts$|src\/resources\//],
  ['call', /src\//],
];

/** Samples without JavaScript. The profiler's own and those of a process that waits belong to nobody. */
const OTHERS = new Map([
  ['(garbage collector)', 'gc'],
  ['(program)', 'node'],
  ['(idle)', undefined],
]);

/** Returns a function that tells the owner of a sample by the id of its node. */
export function createOwnerOf(nodes) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
  const owners = new Map();
  return (id) => {
    if (!owners.has(id)) owners.set(id, ownerOf(known.get(id), parents));
    return owners.get(id);
  };
}

function ownerOf(node, parents) {
  const { functionName, url } = node.callFrame;
  if (OTHERS.has(functionName)) return OTHERS.get(functionName);
  if (url === 'node:inspector') return undefined;
  if (isBuilt(url)) return sourceOwner(node.callFrame);
  // The stub makes its responses with Node's classes.
  for (let above = node; above; above = parents.get(above.id)) {
    if (isBuilt(above.callFrame.url)) break;
    if (above.callFrame.url.includes('/workers/')) return 'stub';
  }
  return 'node';
}

const isBuilt = (url) => url.includes('/multilocal/dist/');

/** `JSON.parse` has no frame of its own: its time is that of the function that calls it. */
function sourceOwner({ functionName, url, lineNumber, columnNumber }) {
  if (functionName === 'parseJson') return 'json';
  const { originalSource = '' } = mapOf(url).findEntry(lineNumber, columnNumber);
  return SOURCES.find(([, pattern]) => pattern.test(originalSource))?.[0] ?? 'call';
}

const maps = new Map();

function mapOf(url) {
  if (!maps.has(url)) maps.set(url, new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8'))));
  return maps.get(url);
}
