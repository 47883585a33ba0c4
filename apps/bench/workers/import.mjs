// Milliseconds of processor time of one import in a new process: node import.mjs <compiled job> <plain | after-fetch>
import { pathToFileURL } from 'node:url';
import { processorTime } from './processor-time.mjs';

const [file, mode] = process.argv.slice(2);
// Node loads its own fetch when a program first touches it.
if (mode === 'after-fetch') new Request('http://127.0.0.1', { signal: new AbortController().signal }).clone();
const begin = processorTime();
await import(pathToFileURL(file).href);
console.log(processorTime() - begin);
