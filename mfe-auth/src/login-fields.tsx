import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { type ComponentProps, useState } from 'react';
import { type Strength, strengthOf } from './password-strength.ts';
import { loginTexts } from './texts.ts';

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type'>;

/** The input of a user name, named `username`. */
export function UsernameField(props: FieldProps) {
  const t = useTexts(loginTexts);
  return (
    <TextField
      label={t('username')}
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      isQuiet
      {...props}
    />
  );
}

/** The input of a code, named `code`. */
export function CodeField({ fault }: Pick<FieldProps, 'fault'>) {
  const t = useTexts(loginTexts);
  return (
    <TextField
      label={t('code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      isQuiet
      fault={fault}
    />
  );
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
      autoCapitalize="none"
      spellCheck={false}
      isQuiet
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
