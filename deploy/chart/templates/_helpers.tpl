{{- define "desk.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "desk.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "desk.labels" -}}
{{ include "desk.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "desk.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Files of secrets: variable → Secret and key. */}}
{{- define "desk.secretFiles" -}}
{{- $files := deepCopy .Values.secretFiles -}}
{{- $_ := set $files "MONGODB_URI" (dict "name" .Values.mongodb.existingSecret "key" .Values.mongodb.key) -}}
{{- if .Values.secret.existingSecret -}}
{{- $_ := set $files "SECRET" (dict "name" .Values.secret.existingSecret "key" .Values.secret.key) -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}
