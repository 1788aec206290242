@echo off
rem SPDX-License-Identifier: MIT
rem The script of the kit for Windows (tools/gpu-kit): every adapter and WARP, with this library's
rem shaders and Microsoft's operator.
rem Exit status: 0 all is right; 1 something is wrong; 2 usage; 3 it cannot run here.
setlocal
cd /d "%~dp0"
set list=mustpass
set pattern=*
if "%~1"=="--quick" set list=quick
if "%~1"=="--quick" set pattern=rows-l2*
if "%~1"=="--quick" shift
set results=results
if not "%~1"=="" set results=%~1
if "%results:~0,1%"=="-" (
    echo usage: run.bat [--quick] [RESULTS]
    exit /b 2
)
set page=%results%\index.html
set wrong=0
set found=0
set last=
set golden=
for %%f in (golden\documentation\*.json golden\directml\*.json) do call set golden=%%golden%% %%f
if not exist "%results%" mkdir "%results%"
cumsum.exe --version >nul 2>&1
if errorlevel 1 (
    echo run: cumsum.exe does not start: unpack the whole archive on 64-bit Windows
    exit /b 3
)
echo ^<!DOCTYPE html^>^<meta charset="utf-8"^>^<title^>cumsum on a GPU^</title^> >"%page%" || (
    echo run: cannot write to %results%
    exit /b 3
)
call :step . info cumsum info
for /L %%n in (0,1,15) do call :adapter %%n
if %found%==0 (
    echo run: no adapter can be used with Direct3D 12:
    type "%results%\last.txt"
    exit /b 3
)
echo %page%
if not %wrong%==0 (
    echo run: %wrong% of the steps are WRONG
    exit /b 1
)
exit /b 0

rem adapter N: all steps on one adapter. The first number without an adapter ends the list.
:adapter
if defined last exit /b
cumsum.exe fingerprint --backend d3d12 --adapter #%1 >"%results%\last.txt" 2>&1
if %errorlevel%==77 (
    set last=%1
    exit /b
)
set /a found=found+1
if not exist "%results%\%1" mkdir "%results%\%1"
set on=--adapter #%1
rem On a device that computes on the CPU the whole benchmark would take hours.
set part=%pattern%
findstr /c:"#%1 " "%results%\info.txt" | findstr /c:"(software)" >nul && set part=rows-l2*
for %%o in (sequential blocked) do call :step %1 fingerprint-d3d12-%%o cumsum fingerprint --backend d3d12 --order %%o %on%
for %%o in (sequential blocked) do call :step %1 fingerprint-d3d12-float16-%%o cumsum fingerprint --backend d3d12 --type float16 --order %%o %on%
call :step %1 fingerprint-directml cumsum fingerprint --backend directml %on%
for %%a in (float32 float16) do call :step %1 fingerprint-directml-float16-%%a cumsum fingerprint --backend directml --type float16 --half-accumulator %%a %on%
call :step %1 golden-all cumsum verify -q --backend all %on% %golden%
call :step %1 golden-d3d12 cumsum verify -q --backend d3d12 %on% %golden%
call :step %1 validate-directml cumsum validate -q --backend directml %on% golden\directml\descriptors.jsonl
for %%t in (float32 float16 int32 uint32 int64 uint64) do call :step %1 bench-d3d12-%%t cumsum_bench --backend d3d12 --type %%t %on% "%part%"
for %%t in (float32 float16 int32 uint32 int64 uint64) do call :step %1 bench-directml-%%t cumsum_bench --backend directml --order sequential --type %%t %on% "%part%"
call :step %1 suite-d3d12 cumsum sweep -q --backend d3d12 %on% %list%
exit /b

rem step FOLDER NAME PROGRAM ARGUMENTS...: one run, a line, and a part of the page
:step
set folder=%1
set name=%2
set arguments=%3
:more
if not "%~4"=="" (
    set arguments=%arguments% %4
    shift /4
    goto more
)
%arguments% >"%results%\%folder%\%name%.txt" 2>&1
set status=%errorlevel%
set verdict=WRONG (%status%)
if %status%==0 set verdict=right
if %status%==77 set verdict=skipped
if not %status%==0 if not %status%==77 set /a wrong=wrong+1
echo %folder%  %name%  %verdict%
echo ^<h2^>%folder% %name%: %verdict%^</h2^>^<p^>%arguments%^<xmp^> >>"%page%"
type "%results%\%folder%\%name%.txt" >>"%page%"
echo ^</xmp^> >>"%page%"
exit /b
