/** From now on the clock of this process is wrong by `ms`. */
export function setClockWrong(ms: number): void {
  const { now } = Date;
  Date.now = () => now() + ms;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [Date.now()]),
  });
}
