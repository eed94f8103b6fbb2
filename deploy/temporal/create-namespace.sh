#!/bin/sh
# Creates the namespace of Carillon where it is missing. Finished runs are kept for a week: only to look at, because
# Carillon reads nothing back from them.
set -eu
temporal operator namespace describe --namespace default ||
  temporal operator namespace create --namespace default --retention 168h
