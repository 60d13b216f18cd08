import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { type ComponentProps, useState } from 'react';
import { Field } from './field.tsx';
import type { LoginTexts } from './login-texts.ts';
import { type Strength, strengthOf } from './password-strength.ts';

interface PasswordFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'children'> {
  t: Translate<LoginTexts>;
  /** A new one: its strength is shown while it is typed. */
  isNew?: boolean;
}

/** The input of a password, named `password` by default, with a button that shows the characters. */
export function PasswordField({ t, isNew = false, ...field }: PasswordFieldProps) {
  const [strength, setStrength] = useState<Strength | null>(null);
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      name="password"
      {...field}
      {...(isNew && {
        autoComplete: 'new-password',
        note: strength ? t(`strength.${strength}`) : (field.note ?? t('rule.password')),
        onInput: ({ currentTarget: { value } }) => setStrength(value ? strengthOf(value) : null),
      })}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
    >
      <Button
        look="small bare"
        label={t(isShown ? 'hide' : 'show')}
        aria-label={t(isShown ? 'hideCharacters' : 'showCharacters')}
        onClick={() => setIsShown(!isShown)}
      />
    </Field>
  );
}
