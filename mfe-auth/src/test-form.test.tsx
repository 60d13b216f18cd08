import { beforeEach, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createStandInServices } from 'host/stand-ins';
import TestFormScreen from './test-form.tsx';

let logged: unknown[][];
beforeEach(() => {
  logged = [];
  jest.spyOn(console, 'log').mockImplementation((...words) => void logged.push(words));
});

function open(language: 'zh' | 'en' = 'zh') {
  const standIns = createStandInServices({ language });
  render(<TestFormScreen services={standIns.services} language={language} controls={null} />);
  return { ...standIns, user: userEvent.setup() };
}

test('shows no errors before anything is typed, and cannot be submitted', () => {
  open();

  expect(screen.queryByText(/用户名不能为空/)).toBeNull();
  expect(screen.getByRole('button', { name: '注册' })).toBeDisabled();
});

test('checks each field on each input', async () => {
  const { user } = open();

  await user.type(screen.getByLabelText('用户名'), 'ab');
  expect(screen.getByText('用户名不能为空且长度需大于3')).toBeVisible();
  await user.type(screen.getByLabelText('用户名'), 'c');
  expect(screen.queryByText('用户名不能为空且长度需大于3')).toBeNull();

  await user.type(screen.getByLabelText('电子邮箱'), 'lin@example');
  expect(screen.getByLabelText('电子邮箱')).toHaveAccessibleDescription('请输入有效的电子邮件地址');
  expect(screen.getByLabelText('电子邮箱')).toBeInvalid();

  await user.type(screen.getByLabelText('密码'), '12345');
  expect(screen.getByText('密码不能为空且长度需大于6')).toBeVisible();
  await user.clear(screen.getByLabelText('密码'));
  expect(screen.getByText('密码不能为空且长度需大于6')).toBeVisible();
});

test('can be submitted only if all three fields are valid, and then only logs', async () => {
  const { calls, user } = open();
  const button = screen.getByRole('button', { name: '注册' });

  await user.type(screen.getByLabelText('用户名'), 'lin');
  await user.type(screen.getByLabelText('电子邮箱'), 'lin@example.com');
  await user.type(screen.getByLabelText('密码'), '123456');
  expect(button).toBeEnabled();
  await user.type(screen.getByLabelText('电子邮箱'), '{Backspace}{Backspace}{Backspace}{Backspace}');
  expect(button).toBeDisabled();
  await user.keyboard('{Enter}');
  expect(logged).toEqual([]);
  await user.type(screen.getByLabelText('电子邮箱'), '.com');
  await user.click(button);

  expect(logged).toEqual([[{ username: 'lin', email: 'lin@example.com', password: '123456' }]]);
  expect(calls).toEqual([]);
  expect(screen.getByRole('status')).toHaveTextContent('已写入控制台');
});

test('is translated to English', () => {
  open('en');

  expect(screen.getByRole('heading', { name: 'Registration form' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sign up' })).toBeDisabled();
});
