import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { type ComponentProps, useState } from 'react';
import { loginTexts } from './texts.ts';

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type'>;

/** No corrections while typing; faults are announced by the focus. */
const PLAIN = { autoCapitalize: 'none', spellCheck: false, isQuiet: true } as const;

/** The input of a user name, named `username`. */
export function UsernameField(props: FieldProps) {
  const t = useTexts(loginTexts);
  return <TextField label={t('username')} name="username" autoComplete="username" {...PLAIN} {...props} />;
}

/** The input of a code, named `code`. */
export function CodeField({ fault }: Pick<FieldProps, 'fault'>) {
  const t = useTexts(loginTexts);
  return <TextField label={t('code')} name="code" autoComplete="one-time-code" {...PLAIN} fault={fault} />;
}

interface PasswordFieldProps extends FieldProps {
  label?: string;
  /** Whether it is a new password, whose strength is shown while it is typed. */
  isNew?: boolean;
}

/** The input of a password, named `password` by default, with a button that shows the characters. */
export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  const t = useTexts(loginTexts);
  const [strength, setStrength] = useState<Strength | null>(null);
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      label={t('password')}
      name="password"
      autoComplete="current-password"
      {...field}
      {...(isNew && {
        autoComplete: 'new-password',
        note: strength ? t(`strength.${strength}`) : (field.note ?? t('rule.password')),
        onInput: ({ currentTarget: { value } }) => setStrength(value ? strengthOf(value) : null),
      })}
      type={isShown ? 'text' : 'password'}
      {...PLAIN}
      end={
        <Button
          look="small bare"
          label={t(isShown ? 'hide' : 'show')}
          aria-label={t(isShown ? 'hideCharacters' : 'showCharacters')}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  );
}

/** The trimmed values of the form's inputs with these names. */
export function textsIn<N extends string>(form: HTMLFormElement, ...names: N[]): Record<N, string> {
  const fields = new FormData(form);
  const texts = names.map((name) => [name, String(fields.get(name) ?? '').trim()]);
  return Object.fromEntries(texts) as Record<N, string>;
}

type Strength = 'short' | 'weak' | 'fair' | 'good';

/** Rough strength of a new password: its length counts most, repeated characters least. The server refuses common passwords. */
export function strengthOf(password: string): Strength {
  const characters = [...password.trim()];
  if (characters.length < 8) return 'short';
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u, /\p{Lo}/u].filter((kind) =>
    kind.test(password),
  );
  const score = characters.length + 2 * (kinds.length - 1);
  if (new Set(characters).size < 5 || score < 12) return 'weak';
  return score < 16 ? 'fair' : 'good';
}
