import type { McpSettings } from '../session.js';
import { carryOut } from './carry-out.js';
import { operations } from './operations.js';
import { overview } from './overview.js';
import { read } from './read.js';
import { rehearse } from './rehearse.js';
import type { Tool } from './tool.js';

/** The tools of a server, always in the same order. */
export function toolsOf({ writes }: McpSettings): readonly Tool[] {
  return [overview, operations, read, rehearse, ...(writes ? [carryOut] : [])];
}
