import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Client } from 'multilocal';
import { sqlJournal } from 'multilocal/sql';
import { publishMorning } from './morning.js';

const [day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
// No `journal_mode = WAL`: after a power cut, the database could lack what the journal has confirmed.
const db = new Database(process.env.DATABASE_FILE ?? 'morning.db');
db.exec(sqlJournal.schema('sqlite'));
// The day names the journal: a run that is repeated on the same day goes on where the last one stopped.
const name = `Matin du ${day}`;
const journal = sqlJournal({ dialect: 'sqlite', name, query: (sql, params) => db.prepare(sql).all(...params) });

const content = 'Bonjour {{city}} ! Ce matin au fournil : {{special|le pain au levain}}.';
const { pdf_url } = await publishMorning(
  await Client.connect(),
  journal,
  { campaign: name, at: `${day}T09:00`, zone: 'Europe/Paris', for: 'all', post: { platforms: ['facebook'], content } },
  JSON.parse(readFileSync('rows.json', 'utf8')),
);
console.log(`Published. ${name}: ${pdf_url}`);
