/**
 * Replaces tslib in the host's build, where rxjs needs it for async iterables and readable streams only: its helpers imitate what all supported
 * browsers have themselves, which takes 0.5 KB more after gzip.
 */
class Awaited {
  constructor(value) {
    this.value = value;
  }
}

export const __await = (value) => new Awaited(value);

export const __asyncValues = (iterable) => iterable[Symbol.asyncIterator]();

export async function* __asyncGenerator(self, args, body) {
  const steps = body.apply(self, args);
  try {
    let step = steps.next();
    while (!step.done)
      step = steps.next(step.value instanceof Awaited ? await step.value.value : yield step.value);
  } finally {
    // After an error, or when the reader leaves: ends the blocks `finally` of `body`.
    steps.return();
  }
}

export async function __awaiter(self, _arguments, _promise, body) {
  const steps = body.call(self);
  let step = steps.next();
  while (!step.done)
    step = await Promise.resolve(step.value).then(
      (value) => steps.next(value),
      (error) => steps.throw(error),
    );
  return step.value;
}
