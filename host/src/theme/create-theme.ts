import { BehaviorSubject } from 'rxjs';
import type { Theme, ThemeChoice } from '../contract.ts';
import type { Keep } from '../storage/keep.ts';

const KEY = 'desk:theme';

export interface SwitchableTheme extends Theme {
  /** What is to be seen now, the system's wish included. */
  isDark$: BehaviorSubject<boolean>;
  /** Light to dark and back. What then equals the system's wish follows the system again. */
  toggle(): void;
}

interface Options {
  keep: Keep;
  /** Carries `data-theme` where the choice is not the system's. */
  root: HTMLElement;
  /** `(prefers-color-scheme: dark)`. */
  prefersDark: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
}

export function createTheme({ keep, root, prefersDark }: Options): SwitchableTheme {
  const choice$ = new BehaviorSubject(parse(keep.read(KEY)));
  const isDark = () => (choice$.value === 'system' ? prefersDark.matches : choice$.value === 'dark');
  const isDark$ = new BehaviorSubject(isDark());
  const follow = () => {
    if (isDark() !== isDark$.value) isDark$.next(isDark());
  };
  choice$.subscribe((choice) => {
    if (choice === 'system') delete root.dataset.theme;
    else root.dataset.theme = choice;
    follow();
  });
  prefersDark.addEventListener('change', follow);

  const choose = (choice: ThemeChoice) => {
    keep.write(KEY, choice);
    if (choice !== choice$.value) choice$.next(choice);
  };
  return {
    choice$,
    isDark$,
    choose,
    toggle() {
      const isDarkNext = !isDark();
      choose(isDarkNext === prefersDark.matches ? 'system' : isDarkNext ? 'dark' : 'light');
    },
  };
}

function parse(text: string | undefined): ThemeChoice {
  return text === 'light' || text === 'dark' ? text : 'system';
}
