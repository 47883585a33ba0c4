// Before each build: brings content/articles up to date. Without the address of a service, the site shows the articles
// of a mock.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import nextEnv from '@next/env';
import { Client, MultilocalError } from 'multilocal';
import { startMockServer } from 'multilocal/mock/server';
import { directoryStore } from 'multilocal/node';

// The files that Next.js reads: .env, .env.local …
nextEnv.loadEnvConfig(process.cwd());
const { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL } = process.env;

try {
  // A deployment that has lost a variable must not replace the articles with those of the mock.
  if (MULTILOCAL_API_KEY && !MULTILOCAL_BASE_URL)
    throw new Error('MULTILOCAL_API_KEY is set, but not MULTILOCAL_BASE_URL.');
  if (MULTILOCAL_BASE_URL) await new Client().articles.syncTo(directoryStore('content/articles'), { reconcile: true });
  else await copyMock();
} catch (error) {
  console.error(error instanceof MultilocalError ? error.message : error);
  process.exitCode = 1;
}

/** Copies the articles of the mock to `content`, and their pictures to `public`. */
async function copyMock() {
  console.warn('MULTILOCAL_BASE_URL is not set: the articles are those of the mock.');
  const mock = await startMockServer();
  try {
    for (const folder of ['content/mock', 'public/mock']) await rm(folder, { recursive: true, force: true });
    await mkdir('public/mock', { recursive: true });
    const client = new Client({ baseUrl: mock.url, apiKey: mock.api.keys.readOnly });
    const store = directoryStore('content/mock');
    const pictures = new Map();
    const put = (article) => {
      const text = JSON.stringify(article).replaceAll(
        /http:\/\/127\.0\.0\.1:\d+[^"\\]*\/([\w.-]+)/g,
        (address, name) => {
          pictures.set(name, address);
          return `/mock/${name}`;
        },
      );
      return store.put(JSON.parse(text));
    };
    await client.articles.syncTo({ ...store, put });
    for (const [name, address] of pictures) {
      const response = await fetch(address);
      await writeFile(`public/mock/${name}`, Buffer.from(await response.arrayBuffer()));
    }
  } finally {
    await mock.close();
  }
}
