// A service on loopback that answers every request with one article: the network's share of a call, and nothing else.
import { createServer } from 'node:http';
import { ARTICLE } from './data.mjs';

const body = Buffer.from(ARTICLE);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
