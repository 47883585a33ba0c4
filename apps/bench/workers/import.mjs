// Milliseconds of processor time of one import in a new process: node import.mjs <plain | after-fetch> <specifier, or nothing for fetch>
import { processorTime } from './processor-time.mjs';

const [mode, specifier] = process.argv.slice(2);

// Node loads its own fetch when it is first touched; the first request of any client pays for that.
const touchFetch = () => new Request('http://127.0.0.1').url + new Response('').status + typeof fetch;
if (mode === 'after-fetch') touchFetch();
const begin = processorTime();
if (specifier) await import(specifier);
else touchFetch();
console.log(processorTime() - begin);
