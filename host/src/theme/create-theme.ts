import { BehaviorSubject } from 'rxjs';
import type { ThemeChoice } from '../contract.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';
import { writePageCookie } from '../storage/page-cookie.ts';

/** Name of the stored choice, and of the cookie by which the server renders the page in this theme. */
const KEY = 'desk:theme';
const COOKIE = 'desk-theme';

export type SwitchableTheme = ReturnType<typeof createTheme>;

interface Options {
  keyValues: KeyValueStore;
  /** Gets `data-theme` if the choice differs from the system's. */
  root: HTMLElement;
  /** Where the choice is also stored as a cookie; default nowhere. */
  cookies?: { cookie: string };
  /** `(prefers-color-scheme: dark)`. */
  prefersDark: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
}

export function createTheme({ keyValues, root, cookies, prefersDark }: Options) {
  const choice$ = new BehaviorSubject(parse(keyValues.read(KEY)));
  const isDark = () => (choice$.value === 'system' ? prefersDark.matches : choice$.value === 'dark');
  /** The visible theme, including the system's preference. */
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
  const store = (choice: ThemeChoice) => {
    if (cookies) writePageCookie(cookies, COOKIE, choice, choice === 'system' ? 0 : undefined);
  };
  // Browsers limit the lifetime of cookies that scripts set.
  if (choice$.value !== 'system') store(choice$.value);

  const choose = (choice: ThemeChoice) => {
    keyValues.write(KEY, choice);
    store(choice);
    if (choice !== choice$.value) choice$.next(choice);
  };
  return {
    choice$,
    isDark$,
    choose,
    /** Switches between light and dark. Follows the system again if the result equals its preference. */
    toggle(): void {
      const isDarkNext = !isDark();
      choose(isDarkNext === prefersDark.matches ? 'system' : isDarkNext ? 'dark' : 'light');
    },
  };
}

function parse(text: string | undefined): ThemeChoice {
  return text === 'light' || text === 'dark' ? text : 'system';
}
