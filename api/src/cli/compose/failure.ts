import type { ErrorBody } from '../../contract/contract.ts';

/** 1: the desk refused it (check, conflict). 2: used wrongly. 3: not reachable, or not allowed. */
export type FailureCode = 1 | 2 | 3;

/** What ends a command. `message` is for people and may have several lines; `body` is what --json tells. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: FailureCode;
  readonly body: Partial<ErrorBody>;

  constructor(exitCode: FailureCode, message: string, body: Partial<ErrorBody> = {}) {
    super(message);
    this.exitCode = exitCode;
    this.body = { msg: message, ...(exitCode === 2 ? { error: 'invalid_request' } : {}), ...body };
  }
}

/** An answer of the desk that says no. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.msg);
    this.status = status;
    this.body = body;
  }
}
