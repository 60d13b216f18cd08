import type { Translate } from 'host/contract';
import { Field } from './field.tsx';
import type { LoginTexts } from './login-texts.ts';

/** The input of a code, named `code`. */
export function CodeField({ t, problem }: { t: Translate<LoginTexts>; problem?: string }) {
  return (
    <Field
      label={t('code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...(problem && { problem })}
    />
  );
}
