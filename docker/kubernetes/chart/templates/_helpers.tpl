{{- define "cardroom.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "cardroom.labels" -}}
app.kubernetes.io/name: cardroom
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* What all pods have in common, from securityContext to the mounted secrets. */}}
{{- define "cardroom.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 512Mi}
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $file, $secret := .Values.secrets }}
        - secret:
            name: {{ $secret.name }}
            items: [{key: {{ $secret.key }}, path: {{ $file }}}]
        {{- end }}
{{- end }}

{{- define "cardroom.container" -}}
image: {{ include "cardroom.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: {drop: [ALL]}
env:
  {{- range $name, $value := .Values.settings }}
  - {name: {{ $name }}, value: {{ $value | quote }}}
  {{- end }}
  {{- range $file, $secret := .Values.secrets }}
  - {name: {{ $secret.variable }}, value: /run/secrets/{{ $file }}}
  {{- end }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
  - {name: secrets, mountPath: /run/secrets, readOnly: true}
{{- end }}
