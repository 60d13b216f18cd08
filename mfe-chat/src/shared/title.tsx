import { useTitle } from './use-title.ts';

export function Title() {
  return (
    <h1 className="clip" dir="auto">
      {useTitle()}
    </h1>
  );
}
