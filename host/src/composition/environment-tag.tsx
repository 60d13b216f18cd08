/** The name of an environment; production has another colour than the others. */
export function EnvironmentTag({ name }: { name: string }) {
  return <span className={name === 'production' ? 'tag accent' : 'tag warning'}>{name}</span>;
}
