// A user's script: connects and lists articles. Prints the processor time of its process, from the start of Node on.
// node start.mjs <compiled job> <base URL>
import { pathToFileURL } from 'node:url';
import { processorTime } from './processor-time.mjs';

const [file, baseUrl] = process.argv.slice(2);
const { connect } = await import(pathToFileURL(file).href);
const job = connect({ baseUrl, apiKey: 'bench' });
await job.me();
const { articles } = await job.articles('1970-01-01T00:00:00Z');
if (articles.length !== 50) throw new Error(`${articles.length} articles instead of 50`);
process.once('exit', () => console.log(processorTime()));
