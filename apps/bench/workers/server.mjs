// A service on loopback with one identity, one page of articles and one article: the network's share of a call, and
// nothing else.
import { createServer } from 'node:http';
import { ARTICLE, ARTICLES, IDENTITY } from './data.mjs';

const article = Buffer.from(ARTICLE);
const bodies = new Map([
  ['/api/v2/me', Buffer.from(IDENTITY)],
  ['/api/v2/articles', Buffer.from(ARTICLES)],
]);
const server = createServer(({ url }, response) => {
  const body = bodies.get(url.split('?')[0]) ?? article;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
// The client closes connections that wait, so that no request meets a closed one.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
