#!/bin/sh
# Creates the namespace of Carillon where it is missing. Finished runs are kept for a week: only to look at, because
# Carillon reads nothing back from them.
set -eu
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 168h
