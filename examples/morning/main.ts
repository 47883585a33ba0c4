import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Client } from 'multilocal';
import { sqlJournal } from 'multilocal/sql';
import { publishMorning } from './morning.js';

const [day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
// No `journal_mode = WAL`: after a power cut, the database could lack what the journal has confirmed.
const db = new Database(process.env.DATABASE_FILE ?? 'morning.db');
db.exec(sqlJournal.schema('sqlite'));
const name = `Matin du ${day}`;
// One journal for all days: the keys of the posts begin with the name of the campaign, and each key is done once.
const query = (sql: string, params: unknown[]) => db.prepare(sql).all(...params);
const journal = sqlJournal({ dialect: 'sqlite', name: 'matin', query });

const content = 'Bonjour {{city}} ! Ce matin au fournil : {{special|le pain au levain}}.';
const { pdf_url } = await publishMorning(
  await Client.connect(),
  journal,
  { campaign: name, at: `${day}T09:00`, zone: 'Europe/Paris', for: 'all', post: { platforms: ['facebook'], content } },
  JSON.parse(readFileSync('rows.json', 'utf8')),
);
console.log(`Published. ${name}: ${pdf_url}`);
