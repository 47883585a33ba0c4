import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type {
  CallToolResult,
  ClientCapabilities,
  ElicitInputParams,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { suggestion } from '../words.js';
import { refusal } from './answer.js';
import { type Prompt, prompts } from './prompts.js';
import { LONGEST_ANSWER } from './refused.js';
import { type ResourceKind, resources } from './resources.js';
import type { Session } from './session.js';
import { carryOut } from './tools/carry-out.js';
import { operations } from './tools/operations.js';
import { overview } from './tools/overview.js';
import { read } from './tools/read.js';
import { rehearse } from './tools/rehearse.js';
import type { Tool, Turn } from './tools/tool.js';
import { asTyped } from './tools/typed.js';

type Protocol = typeof import('./protocol.js');

/** How long a person may take for a confirmation, in s. */
const PATIENCE = 3_600;

/** Returns what makes a server for a connection, or for a request. Whatever lasts is in the session. */
export function serverFactory(session: Session, protocol: Protocol): () => McpServer {
  const { version } = createRequire(import.meta.url)('multilocal/package.json') as { version: string };
  // A form that this process did not show has no answer.
  const states = protocol.createRequestStateCodec<string>({ key: randomBytes(32), ttlSeconds: PATIENCE });
  return () => {
    const server = new protocol.McpServer(
      { name: 'multilocal', title: 'Multi-Location Social Publishing', version },
      { requestState: { verify: states.verify }, inputRequired: { roundTimeoutMs: PATIENCE * 1_000 } },
    );
    const turnOf = (context: ServerContext): Turn => ({
      signal: context.mcpReq.signal,
      canAsk: canAsk(server, context, protocol),
      said: (subject) => {
        const isOurs = context.mcpReq.requestState<string>() === subject;
        return isOurs ? protocol.inputResponse(context.mcpReq.inputResponses, 'confirm') : { kind: 'missing' };
      },
      ask: async (subject, message) =>
        protocol.inputRequired({
          inputRequests: { confirm: protocol.inputRequired.elicit({ message, requestedSchema: CONFIRMATION }) },
          requestState: await states.mint(subject),
        }),
      progress: (done, total) => notifyProgress(context, done, total),
    });
    const tools: readonly Tool[] = [
      overview,
      operations,
      read,
      rehearse,
      ...(session.settings.writes ? [carryOut] : []),
    ];
    for (const tool of tools) addTool(server, tool, session, turnOf, protocol);
    for (const prompt of prompts) addPrompt(server, prompt, protocol);
    for (const kind of resources) addResource(server, kind, session, protocol);
    return server;
  };
}

const CONFIRMATION: ElicitInputParams['requestedSchema'] = {
  type: 'object',
  properties: {
    confirm: { type: 'boolean', title: 'Carry it out', description: 'I have read everything', default: false },
  },
  required: ['confirm'],
};

function addTool(
  server: McpServer,
  { name, description, input, annotations, run }: Tool,
  session: Session,
  turnOf: (context: ServerContext) => Turn,
  { fromJsonSchema }: Protocol,
): void {
  // What is advertised is strict. What clients of models send is not always.
  const { '~standard': strict } = fromJsonSchema<never>({ ...input, additionalProperties: false });
  const { '~standard': tolerant } = fromJsonSchema<never>(input);
  const validate = (value: unknown) => tolerant.validate(asTyped(input, value));
  const inputSchema = { '~standard': { ...strict, validate } };
  const known = Object.keys(input.properties ?? {});
  server.registerTool(name, { description, inputSchema, annotations }, async (args, context) => {
    const work = run(args, session, turnOf(context)).catch((error) => refusal(error, session));
    const result = await session.during(work);
    const ignored = Object.keys(args).filter((one) => !known.includes(one));
    const { content } = result as CallToolResult;
    if (ignored.length === 0 || !content) return result;
    const names = ignored.slice(0, 10).map((one) => one.slice(0, 50));
    const remark = `Unknown arguments were ignored: ${names.join(', ')}. ${name} takes ${known.join(', ') || 'none'}.`;
    const length = content.reduce((sum, one) => sum + ('text' in one ? one.text.length : 0), 0);
    const text = session.output.clean(remark).slice(0, LONGEST_ANSWER - length);
    return { ...result, content: [...content, { type: 'text' as const, text }] };
  });
}

function addPrompt(server: McpServer, { name, description, args, text }: Prompt, { fromJsonSchema }: Protocol): void {
  server.registerPrompt(name, { description, argsSchema: fromJsonSchema<Record<string, string>>(args) }, (given) => ({
    messages: [{ role: 'user', content: { type: 'text', text: text(given) } }],
  }));
}

function addResource(
  server: McpServer,
  { kind, description, mimeType, isListed, names, read }: ResourceKind,
  session: Session,
  { ResourceTemplate, ProtocolError, ProtocolErrorCode }: Protocol,
): void {
  const uriOf = (name: string) => `multilocal://${kind}/${name}`;
  const list = async () => ({
    resources: (await names(session)).map((name) => ({ uri: uriOf(name), name, mimeType })),
  });
  const template = new ResourceTemplate(uriOf('{name}'), {
    list: isListed ? list : undefined,
    complete: { name: async (begin) => (await names(session)).filter((name) => name.startsWith(begin)) },
  });
  server.registerResource(kind, template, { description, mimeType }, async (uri, { name }) => {
    const known = await names(session);
    const found = known.find((one) => one === name);
    if (found === undefined) {
      const message = `There is no such resource in multilocal://${kind}.${suggestion(String(name), known)}`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const text = await Promise.resolve(read(found, session)).catch(() => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${uriOf(found)} cannot be read.`);
    });
    return { contents: [{ uri: uri.href, mimeType, text }] };
  });
}

/** Whether the client has declared that it can show a form. An empty declaration means forms. */
function canAsk({ server }: McpServer, { mcpReq }: ServerContext, { CLIENT_CAPABILITIES_META_KEY }: Protocol): boolean {
  const ofRequest: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  const { elicitation } = (ofRequest ?? server.getClientCapabilities() ?? {}) as ClientCapabilities;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function notifyProgress({ mcpReq }: ServerContext, progress: number, total: number): void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } }).catch(() => {});
}
