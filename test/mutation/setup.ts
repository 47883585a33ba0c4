import { beforeEach } from 'vitest';

// This test joins sources, and Stryker declares the same helpers in each of them.
beforeEach(({ task, skip }) => skip(task.name === 'survive minification'));
