// Run by `npm run demo`. It builds a static site from a brand's articles and then works on its locations: a post, a
// review, figures, a report. It uses the mock server or the real service.
// Each chapter is a file. To add one, write the file and add it to the list here.
import { answer } from './chapters/answer.js';
import { confirm } from './chapters/confirm.js';
import { introduce, summarise } from './chapters/introduce.js';
import { measure } from './chapters/measure.js';
import { plan } from './chapters/plan.js';
import { rehearse } from './chapters/rehearse.js';
import { report } from './chapters/report.js';
import { build, change, synchronise } from './chapters/synchronise.js';
import { openDemo, openService, type Service } from './demo.js';
import { explain, HELP, readOptions } from './options.js';
import { createScreen } from './screen.js';

const chapters = [
  introduce,
  // Articles
  synchronise,
  build,
  confirm,
  change,
  rehearse,
  // Locations and listings
  plan,
  answer,
  measure,
  report,

  summarise,
];

const screen = createScreen();
const interrupt = new AbortController();
process.on('SIGINT', () => interrupt.abort());

let service: Service | undefined;
try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(HELP);
  } else {
    screen.open('multilocal: from the API to a website');
    service = await openService();
    const demo = await openDemo(service, options, screen, interrupt.signal);
    for (const [index, chapter] of chapters.entries()) {
      interrupt.signal.throwIfAborted();
      screen.chapter(`${index + 1}/${chapters.length}  ${chapter.title}`);
      await chapter.tell(demo);
    }
    screen.close(`Open ${demo.site.index}`);
  }
} catch (error) {
  process.exitCode = interrupt.signal.aborted ? 130 : 1;
  screen.fail(interrupt.signal.aborted ? ['Stopped.'] : explain(error));
} finally {
  await service?.close();
}
