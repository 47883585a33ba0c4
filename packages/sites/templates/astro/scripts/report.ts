import type { AstroIntegration } from 'astro';
import { missingReport } from '../src/content';
import { refuseExamples } from '../src/examples';
import { links, site } from '../src/site';

/** Refuses to build the articles of a service at the addresses of the template, and says at the end what is missing. */
export function buildReport(): AstroIntegration {
  return {
    name: 'build-report',
    hooks: {
      'astro:config:setup': ({ command }) => {
        // The mock, which comes after this, is shown at any address.
        if (command === 'build' && process.env.MULTILOCAL_BASE_URL) refuseExamples({ url: site.url, links });
      },
      'astro:build:done': ({ logger }) => {
        const missing = missingReport();
        if (missing) logger.warn(missing);
      },
    },
  };
}
