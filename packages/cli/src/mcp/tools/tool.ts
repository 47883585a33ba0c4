import type {
  CallToolResult,
  InputRequiredResult,
  InputResponseView,
  JsonSchemaType,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { Session } from '../session.js';

/** A call of a tool. */
export interface Turn {
  /** Aborts when the client cancels the call, or goes away. */
  readonly signal: AbortSignal;
  /** Whether the client can show a form to a person. */
  readonly canAsk: boolean;
  /** What the person said to the form of {@link ask}, if this call follows it and belongs to `subject`. */
  said(subject: string): InputResponseView;
  /** Asks the person. The tool is called again with the answer. */
  ask(subject: string, message: string): Promise<InputRequiredResult>;
  /** Tells the client that the call is alive, if it wants to know. */
  progress(done: number, total: number): void;
}

/** A tool of the server. */
export interface Tool<Args = never> {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly input: JsonSchemaType;
  readonly annotations: ToolAnnotations;
  /** What it throws becomes an answer, too. */
  run(args: Args, session: Session, turn: Turn): Promise<CallToolResult | InputRequiredResult>;
}
