import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { type ComponentProps, useState } from 'react';
import { Field } from './field.tsx';
import { type Strength, strengthOf } from './password-strength.ts';
import { loginTexts } from './texts.ts';

interface PasswordFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'children'> {
  /** A new one: its strength is shown while it is typed. */
  isNew?: boolean;
}

/** The input of a password, named `password` by default, with a button that shows the characters. */
export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  const t = useTexts(loginTexts);
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
