import type { ErrorBody } from '../contract/error-body.ts';

/** 1: refused by the server (check, conflict). 2: invalid usage. 3: not reachable or not permitted. */
export type FailureCode = 1 | 2 | 3;

/** Ends a command. `message` is for people and may have several lines; `body` is printed with --json. */
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

/** An error response of the server. */
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
