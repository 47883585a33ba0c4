// Milliseconds of processor time of one import in a new process: node import.mjs <compiled job>
import { pathToFileURL } from 'node:url';
import { processorTime } from './processor-time.mjs';

const { href } = pathToFileURL(process.argv[2]);
const begin = processorTime();
await import(href);
console.log(processorTime() - begin);
