@echo off
rem SPDX-License-Identifier: MIT
rem run.bat [--quick] [RESULTS]: the script of the kit for Windows (tools/gpu-kit), for every adapter
rem and WARP, with this library's shaders and Microsoft's operator.
rem Exit status: 0 all is right; 1 something is wrong; 3 no adapter can be used.
setlocal
cd /d "%~dp0"
set list=mustpass
set pattern=*
if "%~1"=="--quick" set list=quick
if "%~1"=="--quick" set pattern=rows-l2*
if "%~1"=="--quick" shift
set results=results
if not "%~1"=="" set results=%~1
if not exist "%results%" mkdir "%results%"
set wrong=0
set found=0
set last=
set golden=
for %%f in (golden\documentation\*.json golden\directml\*.json) do call set golden=%%golden%% %%f
cumsum.exe info >"%results%\info.txt" 2>&1
for /L %%n in (0,1,15) do call :adapter %%n
if %found%==0 exit /b 3
if not %wrong%==0 (
    echo run: %wrong% of the steps are WRONG
    exit /b 1
)
exit /b 0

rem adapter N: all steps on one adapter. The first number without an adapter ends the list.
:adapter
if defined last exit /b
cumsum.exe fingerprint --backend d3d12:#%1 >"%results%\last.txt" 2>&1
if %errorlevel%==77 (
    set last=%1
    type "%results%\last.txt"
    exit /b
)
set /a found=found+1
set on=:#%1
for %%b in (d3d12 directml) do for %%t in (float32 float16) do call :step %1-fingerprint-%%b-%%t cumsum fingerprint --backend %%b%on% --type %%t
call :step %1-fingerprint-d3d12-blocked cumsum fingerprint --backend d3d12%on% --numerics blocked
call :step %1-golden-all cumsum verify -q --backend all%on% %golden%
call :step %1-golden-d3d12 cumsum verify -q --backend d3d12%on% %golden%
call :step %1-descriptors-directml cumsum descriptors -q --backend directml%on% golden\directml\descriptors.jsonl
for %%b in (d3d12 directml) do for %%t in (float32 float16 int32 uint32 int64 uint64) do call :step %1-bench-%%b-%%t cumsum_bench --backend %%b%on% --type %%t "%pattern%"
call :step %1-suite-d3d12 cumsum sweep -q --backend d3d12%on% %list%
exit /b

rem step NAME PROGRAM ARGUMENTS...: one run, whose output is a file, and a line
:step
set name=%1
set arguments=%2
:more
if not "%~3"=="" (
    set arguments=%arguments% %3
    shift /3
    goto more
)
%arguments% >"%results%\%name%.txt" 2>&1
set status=%errorlevel%
set verdict=WRONG (%status%)
if %status%==0 set verdict=right
if %status%==77 set verdict=skipped
if not %status%==0 if not %status%==77 set /a wrong=wrong+1
echo %name%  %verdict%
exit /b
