import type { FileLimit, UnreadableReason } from '../../errors/errors.ts';
import type { Failure } from './reader-messages.ts';

/** Reason why a file cannot be read, thrown in the reader process and passed to the caller. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(JSON.stringify(failure));
    this.failure = failure;
  }
}

export function unreadable(reason: UnreadableReason): FileFailure {
  return new FileFailure({ kind: 'unreadable', reason });
}

export function unsupported(): FileFailure {
  return new FileFailure({ kind: 'unsupported' });
}

export function tooLarge(what: FileLimit, count: number): FileFailure {
  return new FileFailure({ kind: 'too-large', what, count });
}
