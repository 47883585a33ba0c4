// Run it after the deployment: it tells the service which articles are online, and at which address.
import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { confirmPages } from 'multilocal/astro';

if (existsSync('.env')) loadEnvFile();
const result = await confirmPages();
console.log(result);
if (result.notOnline > 0) process.exitCode = 1;
