import type { ScreenProps, Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { isValid, type Registration, type RegistrationField } from './registration-rules.ts';
import styles from './test-form.module.css';
import { useHoldWhileTyping } from './use-hold.ts';

const FIELDS = ['username', 'email', 'password'] as const satisfies RegistrationField[];
const EMPTY: Registration = { username: '', email: '', password: '' };

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
        <form noValidate onSubmit={submit} aria-labelledby={titleId}>
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
          <button className="button primary" type="submit" disabled={!canSubmit}>
            {t('submit')}
          </button>
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
  t: Translate<typeof testFormTexts.zh>;
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

/** Texts of /test. The three messages are required by the specification. */
const testFormTexts = {
  zh: {
    title: '注册表单',
    about: '测试页：提交只写入控制台，不发送任何数据。',
    username: '用户名',
    email: '电子邮箱',
    password: '密码',
    'username.error': '用户名不能为空且长度需大于3',
    'email.error': '请输入有效的电子邮件地址',
    'password.error': '密码不能为空且长度需大于6',
    fine: '格式正确',
    submit: '注册',
    logged: '已写入控制台',
  },
  en: {
    title: 'Registration form',
    about: 'Test page: submitting only writes to the console and sends nothing.',
    username: 'Username',
    email: 'Email',
    password: 'Password',
    'username.error': 'Enter a username with at least 3 characters',
    'email.error': 'Enter a valid email address',
    'password.error': 'Enter a password with at least 6 characters',
    fine: 'Looks good',
    submit: 'Sign up',
    logged: 'Written to the console',
  },
} as const;
