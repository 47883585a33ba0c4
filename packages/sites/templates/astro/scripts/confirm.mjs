// Run it after the deployment: it tells the service which articles are online, and at which address.
import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { MultilocalError } from 'multilocal';
import { confirmPages } from 'multilocal/astro';

if (existsSync('.env')) loadEnvFile();
try {
  const { confirmed, unchanged, left, problems } = await confirmPages({ cacheDir: './.cache' });
  console.log(`${confirmed} confirmed, ${unchanged} unchanged, ${left} left for the next run`);
  for (const { url, reason } of problems) console.error(`${url}: ${reason}`);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof MultilocalError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
