import type { ScreenProps, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { type FormEvent, useId, useRef, useState } from 'react';
import styles from './test-form.module.css';
import { type TestFormTexts, testFormTexts } from './texts.ts';
import { useHoldWhileTyping } from './use-hold-while-typing.ts';

const FIELDS = ['username', 'email', 'password'] as const satisfies RegistrationField[];
const EMPTY: Registration = { username: '', email: '', password: '' };

export const texts = [testFormTexts];

/** /test: the registration form of the specification. Validates on every input; submitting only logs. */
export default function TestFormScreen({ services, controls }: ScreenProps) {
  const t = useTranslate(services.i18n, testFormTexts);
  const titleId = useId();
  const main = useRef<HTMLElement>(null);
  useHoldWhileTyping(services.updates, main);
  const [data, setData] = useState(EMPTY);
  const [touched, setTouched] = useState<ReadonlySet<RegistrationField>>(new Set());
  const [isLogged, setLogged] = useState(false);
  const canSubmit = FIELDS.every((field) => isValid(field, data[field]));

  const change = (field: RegistrationField, value: string) => {
    setData((before) => ({ ...before, [field]: value }));
    setTouched((before) => new Set(before).add(field));
    setLogged(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSubmit) return;
    console.log(data);
    setLogged(true);
  };

  return (
    <main ref={main} className={styles.gate} id="main" tabIndex={-1}>
      <div className={`cluster ${styles.controls}`}>{controls}</div>
      <section className={styles.card} aria-labelledby={titleId}>
        <h1 id={titleId}>{t('title')}</h1>
        <p>{t('about')}</p>
        <form className="stack gap-s3" noValidate onSubmit={submit} aria-labelledby={titleId}>
          {FIELDS.map((field) => (
            <Field
              key={field}
              field={field}
              value={data[field]}
              isTouched={touched.has(field)}
              t={t}
              onChange={(value) => change(field, value)}
            />
          ))}
          <Button look="primary" label={t('submit')} type="submit" disabled={!canSubmit} />
          <p className="field-note" role="status">
            {isLogged ? t('logged') : ''}
          </p>
        </form>
      </section>
    </main>
  );
}

interface FieldProps {
  field: RegistrationField;
  value: string;
  isTouched: boolean;
  t: Translate<TestFormTexts>;
  onChange(value: string): void;
}

const KIND = { username: 'text', email: 'email', password: 'password' } as const;
const AUTOCOMPLETE = { username: 'username', email: 'email', password: 'new-password' } as const;

function Field({ field, value, isTouched, t, onChange }: FieldProps) {
  const id = useId();
  const isFine = isValid(field, value);
  const tone = isFine ? 'success' : 'error';
  return (
    <div className="field">
      <label htmlFor={id}>{t(field)}</label>
      <input
        className="input"
        id={id}
        name={field}
        type={KIND[field]}
        value={value}
        autoComplete={AUTOCOMPLETE[field]}
        aria-invalid={(isTouched && !isFine) || undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className={`field-note ${isTouched ? tone : ''}`} id={`${id}-note`} aria-live="polite">
        {isTouched && (
          <>
            <Icon name={isFine ? 'check' : 'alert'} />
            {isFine ? t('fine') : t(`${field}.error`)}
          </>
        )}
      </p>
    </div>
  );
}

/** The three rules of /test as required by the specification. Lengths count characters, not UTF-16 units. */
export interface Registration {
  username: string;
  email: string;
  password: string;
}

type RegistrationField = keyof Registration;

const LOCAL = /^[^\s@"(),:;<>[\]\\]+$/;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;
const EMAIL_MAX = 320;

const RULES: Record<RegistrationField, (value: string) => boolean> = {
  username: (value) => isPresent(value) && lengthOf(value) >= 3,
  email: isEmail,
  password: (value) => isPresent(value) && lengthOf(value) >= 6,
};

/** True if `value` satisfies the rule of `field`. */
export function isValid(field: RegistrationField, value: string): boolean {
  return RULES[field](value);
}

/** name@host.tld, at most 320 characters, without empty parts between the dots. */
function isEmail(value: string): boolean {
  if (lengthOf(value) > EMAIL_MAX) return false;
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split('.');
  if (at < 1 || labels.length < 2) return false;
  return local.split('.').every((part) => LOCAL.test(part)) && labels.every((label) => LABEL.test(label));
}

function isPresent(value: string): boolean {
  return value.trim() !== '';
}

function lengthOf(value: string): number {
  return [...value].length;
}
