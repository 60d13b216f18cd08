/**
 * Development only: what a remote's build gets in place of react/jsx-runtime and react/jsx-dev-runtime. Their development twins ask
 * the renderer who owns an element, which the production renderer of a deployed host cannot tell: the first element would throw.
 */
import React from 'react';
import * as development from 'react-jsx-development';
import * as production from 'react-jsx-production';

/** Only React's development build has it. */
const isDevelopment = typeof React.captureOwnerStack === 'function';
const { jsxDEV: developmentJsx } = development;

export const { Fragment } = production;
export const jsx = isDevelopment
  ? (type, props, key) => developmentJsx(type, props, key, false)
  : production.jsx;
export const jsxs = isDevelopment
  ? (type, props, key) => developmentJsx(type, props, key, true)
  : production.jsxs;
export const jsxDEV = isDevelopment ? developmentJsx : (type, props, key) => production.jsx(type, props, key);
